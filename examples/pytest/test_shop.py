import pytest
from shop import Shop


@pytest.fixture
def shop(playmoney):
    return Shop(playmoney.url, playmoney.key)


def statuses(playmoney):
    return [charge["Status"] for charge in playmoney.charges(reference="order-1")]


def test_an_approved_card_pays_the_order(shop, playmoney):
    assert shop.pay("order-1", 20.5, "tok_approve") == "paid"
    assert statuses(playmoney) == ["SUCCESS"]


def test_a_declined_card_does_not(shop, playmoney):
    assert shop.pay("order-1", 20.5, "tok_insufficient_funds") == "declined"
    assert statuses(playmoney) == ["FAILED"]


def test_an_order_whose_answer_was_lost_is_charged_once(shop, playmoney):
    playmoney.outcomes.queue("charge.create", [{"Fault": "reset", "Phase": "after"}])
    assert shop.pay("order-1", 20.5, "tok_approve") == "unknown"
    assert shop.pay("order-1", 20.5, "tok_approve") == "paid"
    assert statuses(playmoney) == ["SUCCESS"]


def test_a_refund_returns_the_money(shop, playmoney):
    shop.pay("order-1", 20.5, "tok_approve")
    assert shop.refund("order-1", 5)
    assert statuses(playmoney) == ["PARTIAL_REFUND"]
    assert shop.refund("order-1", 15.5)
    assert statuses(playmoney) == ["REFUND"]


def test_a_webhook_is_signed(shop, playmoney_receiver):
    shop.webhook_secret = playmoney_receiver.secret
    shop.pay("order-1", 20.5, "tok_approve", playmoney_receiver.url)
    message = playmoney_receiver.next("transaction.status.changed")
    assert message.data["status"] == "SUCCESS"
    signature = message.headers["x-payfurl-signature"]
    assert shop.is_from_gateway(message.content, signature)
    assert not shop.is_from_gateway(message.content + b" ", signature)


def test_no_failure_of_the_gateway_costs_money(sweep):
    def buy(ctx):
        shop = Shop(ctx.url, ctx.key)
        state = {"status": shop.pay("order-1", 20.5, "tok_approve")}
        paid = {"paid": True, "declined": False, "unknown": None}
        return {
            "orders": lambda: [{"reference": "order-1", "amount": 20.5, "paid": paid[state["status"]]}],
            "recover": lambda: state.update(status=shop.pay("order-1", 20.5, "tok_approve")),
        }

    sweep(buy, faults=["lost", "refused", "unavailable", "down", "declined"]).assert_safe()
